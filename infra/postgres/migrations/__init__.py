"""How the database became what it is: one folder of plain SQL a revision, frozen once released."""
