"""Pictures by Blender, and how well a network reads each renderer's."""
