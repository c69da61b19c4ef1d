"""What the models were used for, by feature, model and day."""
