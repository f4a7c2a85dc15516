"""What users bring: any Gymnasium environment, described in their own words."""
