"""What `.ci/lint` looks at: each module has `faults(root, files)`, a sentence for each fault."""
