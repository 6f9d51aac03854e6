"""The version of the package; that of the library must be the same."""
VERSION = "0.1.0"
