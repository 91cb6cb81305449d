"""The register of arbiters and their licences."""
