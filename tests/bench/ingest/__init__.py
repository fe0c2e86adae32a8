"""`make bench-ingest`: how fast exports become queryable, here and in two other products, in one run."""
