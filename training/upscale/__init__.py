"""Training, quantisation and scoring of the enlargement networks. See ../README.md."""
