"""What people read of the telemetry: lists, one trace, its conversation."""
