"""Tags of the pages about telemetry."""
