//! Tables, SQL, row mapping, migrations; drivers for SQLite and PostgreSQL.
