//! Both schemas are one schema: the same tables, columns, keys and checks under the same names.

use std::collections::BTreeSet;
use std::path::Path;

use store::{Row, Settings, Store, migrations};

use crate::place::Host;

/// Facts about a schema, one sentence each.
fn facts(store: &Store, queries: &[&str]) -> BTreeSet<String> {
    let read = |sql: &str| store.read(|tx| tx.query(sql, &[])).unwrap();
    let sentence = |row: &Row| row.get::<String>(0).unwrap();
    queries.iter().flat_map(|sql| read(sql).iter().map(sentence).collect::<Vec<_>>()).collect()
}

const TABLES: &str = "(SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\')";

fn sqlite_facts(path: &Path) -> BTreeSet<String> {
    let store = &Store::open(&Settings::Sqlite { path: path.to_owned() }).unwrap();
    let columns = format!(
        "SELECT t.name || '.' || c.name || ' ' || c.type || \
            CASE WHEN c.\"notnull\" = 1 THEN ' required' ELSE '' END || \
            CASE WHEN c.dflt_value IS NULL THEN '' ELSE ' defaulted' END \
         FROM {TABLES} AS t, pragma_table_info(t.name) AS c"
    );
    let rowid_keys = format!(
        "SELECT t.name || ' unique ' || t.name || '_pkey (' || c.name || ')' \
         FROM {TABLES} AS t, pragma_table_info(t.name) AS c WHERE c.pk = 1 \
         AND NOT EXISTS (SELECT 1 FROM pragma_index_list(t.name) WHERE origin = 'pk')"
    );
    let partial =
        format!("SELECT 'partial ' || i.name FROM {TABLES} AS t, pragma_index_list(t.name) AS i WHERE i.partial = 1");
    let indexes = format!(
        "SELECT 'index ' || i.name || ' (' || o.columns || ')' \
         FROM {TABLES} AS t, pragma_index_list(t.name) AS i, {INDEXED} AS o WHERE i.\"unique\" = 0 AND o.name = i.name"
    );
    let references = format!(
        "SELECT t.name || '.' || f.\"from\" || ' refers to ' || f.\"table\" || '.' || COALESCE(f.\"to\", '?') \
         FROM {TABLES} AS t, pragma_foreign_key_list(t.name) AS f"
    );
    let mut facts = facts(store, &[&columns, &rowid_keys, &partial, &indexes, &references]);
    let connection = rusqlite::Connection::open(path).unwrap();
    let sources =
        store.read(|tx| tx.query("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL", &[]));
    for row in sources.unwrap() {
        let (table, sql): (String, String) = (row.get("name").unwrap(), row.get("sql").unwrap());
        assert!(sql.trim_end().ends_with("STRICT"), "table {table} is not STRICT");
        for (name, columns) in store::sqlite_unique_indexes(&connection, &table).unwrap() {
            facts.insert(format!("{table} unique {name} ({columns})"));
        }
        for name in check_names(&table, &sql) {
            facts.insert(format!("{table} check {name}"));
        }
    }
    facts
}

/// Names of the checks in a table's source. One without a name would be reported under different words on each engine.
fn check_names(table: &str, sql: &str) -> Vec<String> {
    let words: Vec<&str> =
        sql.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let at: Vec<usize> = (0..words.len()).filter(|at| words[*at] == "CHECK").collect();
    at.into_iter()
        .map(|at| {
            assert!(at >= 2 && words[at - 2] == "CONSTRAINT", "a CHECK of table {table} has no name");
            words[at - 1].to_owned()
        })
        .collect()
}

const INDEXED: &str = "(SELECT s.name AS name, (SELECT group_concat(COALESCE(name, '?'), ',') FROM \
    (SELECT name FROM pragma_index_info(s.name) ORDER BY seqno)) AS columns FROM sqlite_schema AS s WHERE s.type = 'index')";

const POSTGRES_COLUMNS: &str = "SELECT table_name || '.' || column_name || ' ' || CASE data_type \
        WHEN 'bigint' THEN 'INTEGER' WHEN 'text' THEN 'TEXT' WHEN 'bytea' THEN 'BLOB' ELSE data_type END || \
        CASE is_nullable WHEN 'NO' THEN ' required' ELSE '' END || \
        CASE WHEN column_default IS NULL THEN '' ELSE ' defaulted' END \
     FROM information_schema.columns WHERE table_schema = current_schema()";

const POSTGRES_INDEXES: &str = "SELECT CASE WHEN i.indisunique THEN t.relname || ' unique ' ELSE 'index ' END || x.relname || \
        ' (' || (SELECT string_agg(COALESCE(a.attname, '?'), ',' ORDER BY k.place) \
            FROM unnest(i.indkey) WITH ORDINALITY AS k (number, place) \
            LEFT JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = k.number AND k.number > 0) || ')' \
     FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid JOIN pg_class AS t ON t.oid = i.indrelid \
     WHERE t.relnamespace = current_schema()::regnamespace";

const POSTGRES_PARTIAL: &str = "SELECT 'partial ' || x.relname FROM pg_index AS i JOIN pg_class AS x ON x.oid = i.indexrelid \
     WHERE i.indpred IS NOT NULL AND x.relnamespace = current_schema()::regnamespace";

const POSTGRES_CHECKS: &str = "SELECT t.relname || ' check ' || c.conname FROM pg_constraint AS c \
     JOIN pg_class AS t ON t.oid = c.conrelid WHERE c.contype = 'c' AND c.connamespace = current_schema()::regnamespace";

const POSTGRES_REFERENCES: &str = "SELECT t.relname || '.' || a.attname || ' refers to ' || r.relname || '.' || b.attname \
     FROM pg_constraint AS c JOIN pg_class AS t ON t.oid = c.conrelid JOIN pg_class AS r ON r.oid = c.confrelid \
     CROSS JOIN unnest(c.conkey, c.confkey) AS k (mine, theirs) \
     JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = k.mine \
     JOIN pg_attribute AS b ON b.attrelid = r.oid AND b.attnum = k.theirs \
     WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace";

/// An invariant that one engine does not hold is money lost on that engine.
#[test]
fn both_engines_have_the_same_schema() {
    let (sqlite, postgres) = (Host::sqlite(), Host::postgres());
    let place = sqlite.place();
    let Settings::Sqlite { path } = &place.settings else { unreachable!() };
    let on_sqlite = sqlite_facts(path);
    let on_postgres = facts(
        &Store::open(&postgres.place().settings).unwrap(),
        &[POSTGRES_COLUMNS, POSTGRES_INDEXES, POSTGRES_PARTIAL, POSTGRES_CHECKS, POSTGRES_REFERENCES],
    );
    let only_sqlite: Vec<_> = on_sqlite.difference(&on_postgres).collect();
    let only_postgres: Vec<_> = on_postgres.difference(&on_sqlite).collect();
    assert!(
        only_sqlite.is_empty() && only_postgres.is_empty(),
        "only on SQLite: {only_sqlite:#?}\nonly on PostgreSQL: {only_postgres:#?}"
    );
    for kind in [" unique ", " check ", " refers to ", "index ", " required"] {
        assert!(on_sqlite.iter().any(|fact| fact.contains(kind)), "no fact of the kind «{kind}» was read");
    }
}

/// A file that is not listed is never applied; a listed pair has one name.
#[test]
fn every_migration_file_is_listed_on_both_engines() {
    let listed: Vec<String> = migrations::SERVER.iter().map(|step| format!("{}.sql", step.name)).collect();
    for engine in ["sqlite", "postgres"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations/server").join(engine);
        let files =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        let mut files: Vec<String> = files.collect();
        files.sort();
        assert_eq!(files, listed, "{engine}");
    }
}
