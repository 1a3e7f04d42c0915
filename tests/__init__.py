"""The suite; it mirrors the rooms of the code. A package, as a dependency also installs one of this name."""
