"""What plugs into the bench from outside: each folder has a module ``extra`` that says what it adds."""
