"""The worker: what is not done on request, from the queue of jobs in the database."""
