"""What a run is told: its file, its options as plain values, and how much effort it may take."""
