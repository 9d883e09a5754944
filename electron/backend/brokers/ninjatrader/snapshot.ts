import { randomUUID } from 'node:crypto'
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { err, ok, type Result } from '#shared/base/result.ts'

/** Why NinjaTrader's database could not be read. `changing`: it was written each time that it was copied. */
export type DatabaseProblem = 'missing' | 'unreadable' | 'changing' | 'unknown-shape'

/** Executions of a copy: tables `accounts`, `instruments`, and `executions`, which nobody else writes. */
export type Snapshot = { readonly database: Sqlite.Database; readonly close: () => void }

const mostTries = 5
/** Columns of its tables that are read. Passwords and journal entries stand in others, which are never read. */
const columnsRead = {
  Executions: ['Id', 'Account', 'Commission', 'ExecutionId', 'Fee', 'Instrument', 'OrderId', 'Position', 'Price', 'Quantity', 'Time'],
  Orders: ['Account', 'OrderId', 'OrderAction'],
  Instruments: ['Id', 'Expiry', 'MasterInstrument'],
  MasterInstruments: ['Id', 'Name', 'InstrumentType', 'PointValue', 'TickSize'],
  Accounts: ['Id', 'Name'],
} as const

/** What tells one state of the database from another: sizes and times of the file and its log. */
export const signatureOf = (file: string): string | null =>
  existsSync(file)
    ? [file, `${file}-wal`, `${file}-journal`].map((path) => { const found = statSync(path, { throwIfNoEntry: false, bigint: true }); return found === undefined ? '-' : `${String(found.size)} ${String(found.mtimeNs)}` }).join(', ')
    : null

/**
 * Copies what is needed of NinjaTrader's database into `folder`, while NinjaTrader may write it. The live files are only
 * copied, never opened as a database, so nothing locks or checkpoints them.
 */
export const takeSnapshot = (file: string, folder: string): Result<Snapshot, DatabaseProblem> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const raw = join(folder, `copy-${randomUUID()}.db`)
  try {
    const problem = copyWhole(file, raw)
    return problem === null ? extract(raw, join(folder, `executions-${randomUUID()}.db`)) : err(problem)
  } finally {
    removeDatabase(raw)
  }
}

/** Removes the copies that a program left which was killed. */
export const deleteSnapshots = (folder: string): void => rmSync(folder, { recursive: true, force: true })

const removeDatabase = (path: string): void => {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true })
}

const sqliteMagic = 'SQLite format 3\0'

const copyWhole = (file: string, raw: string): DatabaseProblem | null => {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = signatureOf(file)
    if (before === null) return 'missing'
    try {
      if (!statSync(file).isFile() || head(file, 0, 16)?.toString('latin1') !== sqliteMagic) return 'unreadable'
      const salts = saltsOf(file)
      copyFileSync(file, raw)
      if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${raw}-wal`)
      // The log still holds every page that was moved into the file meanwhile, unless it was begun again: then its salts are others.
      const isWhole = saltsOf(file)?.toString('hex') === salts?.toString('hex') && (salts !== null || signatureOf(file) === before) && !existsSync(`${file}-journal`)
      if (isWhole) return null
    } catch {
      // It may be moved or locked for a moment.
      if (!existsSync(file)) return 'missing'
      if (tries === mostTries - 1) return 'unreadable'
    }
    removeDatabase(raw)
  }
  return 'changing'
}

/** The salts of the write-ahead log, new each time that the log is begun again; null without a log. */
const saltsOf = (file: string): Buffer | null => (existsSync(`${file}-wal`) ? head(`${file}-wal`, 16, 8) : null)

const head = (path: string, from: number, length: number): Buffer | null => {
  const opened = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return readSync(opened, bytes, 0, length, from) === length ? bytes : null
  } finally {
    closeSync(opened)
  }
}

/** .NET's ticks of 100 ns at the beginning of 1970. */
const ticksAtEpoch = '621355968000000000'

/** Futures, among the kinds of instruments: stocks and currencies are not Fillbook's. */
const future = '0'

// A time outside of these was never a trade's: years of empty history would be read before it.
const [earliest, latest] = [Date.UTC(1990, 0), Date.UTC(2100, 0)]

/** How far, in .NET's ticks, the times of two rows of one execution may differ: NinjaTrader corrects times by what the broker reports later. */
const correctedWithin = 100_000_000

// Raw SQL: the tables are NinjaTrader's.
// The side of an execution is its order's; if the order is gone, the change of the position gives it. An account may have two rows under one name.
// An execution is there once by its id and order, though it may have several rows, of which the latest states its price. `place` orders them by NinjaTrader's time, in steps of 100 ns.
const extractSql = `
  CREATE TABLE accounts (id INTEGER PRIMARY KEY, name TEXT);
  INSERT INTO accounts SELECT Id, Name FROM live.Accounts;
  CREATE TABLE instruments (id INTEGER PRIMARY KEY, root TEXT, kind, pointValue REAL, tickSize REAL, expiryMs INTEGER);
  INSERT INTO instruments SELECT own.Id, master.Name, master.InstrumentType, master.PointValue, master.TickSize, (own.Expiry - ${ticksAtEpoch}) / 10000
    FROM live.Instruments AS own JOIN live.MasterInstruments AS master ON master.Id = own.MasterInstrument;
  CREATE TABLE orders (account INTEGER, orderId TEXT, action INTEGER, PRIMARY KEY (account, orderId)) WITHOUT ROWID;
  INSERT INTO orders SELECT Account, OrderId, CASE WHEN min(OrderAction) = max(OrderAction) THEN min(OrderAction) END FROM live.Orders WHERE OrderId IS NOT NULL AND Account IS NOT NULL GROUP BY 1, 2;
  CREATE TABLE stated (id INTEGER PRIMARY KEY, isFirst INTEGER, price);
  INSERT INTO stated SELECT id, isFirst, last_value(price) OVER (PARTITION BY account, executionId, instrument, orderId, qty, one ORDER BY time, id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM (
    SELECT *, sum(isFirst) OVER (PARTITION BY account, executionId, instrument, orderId, qty ORDER BY time, id) AS one FROM (
      SELECT own.Id AS id, COALESCE(accounts.name, own.Account) AS account, own.ExecutionId AS executionId, own.Instrument AS instrument, own.OrderId AS orderId, own.Quantity AS qty, own.Price AS price, own.Time AS time,
        COALESCE(own.Time - lag(own.Time) OVER (PARTITION BY COALESCE(accounts.name, own.Account), own.ExecutionId, own.Instrument, own.OrderId, own.Quantity ORDER BY own.Time, own.Id) >= ${String(correctedWithin)}, 1) AS isFirst
      FROM live.Executions AS own LEFT JOIN accounts ON accounts.id = own.Account WHERE own.ExecutionId <> ''));
  CREATE TABLE executions (id INTEGER PRIMARY KEY, account INTEGER, instrument INTEGER, executionId TEXT, twin INTEGER, orderId TEXT, action INTEGER, position INTEGER, change INTEGER, qty, price, commission, fee, ms, place INTEGER);
  INSERT INTO executions SELECT own.Id, own.Account, own.Instrument, own.ExecutionId, row_number() OVER (PARTITION BY accounts.name, own.ExecutionId ORDER BY own.Id) - 1, own.OrderId, orders.action, own.Position,
      own.Position - lag(own.Position) OVER (PARTITION BY COALESCE(accounts.name, own.Account), own.Instrument ORDER BY own.Time, own.Id), own.Quantity, CASE WHEN stated.id IS NULL THEN own.Price ELSE stated.price END, own.Commission, own.Fee,
      CASE WHEN typeof(own.Time) = 'integer' AND (own.Time - ${ticksAtEpoch}) / 10000 BETWEEN ${String(earliest)} AND ${String(latest)} THEN (own.Time - ${ticksAtEpoch}) / 10000 END,
      row_number() OVER (ORDER BY own.Time, own.Id)
    FROM live.Executions AS own LEFT JOIN accounts ON accounts.id = own.Account LEFT JOIN instruments ON instruments.id = own.Instrument LEFT JOIN orders ON orders.account = own.Account AND orders.orderId = own.OrderId LEFT JOIN stated ON stated.id = own.Id
    WHERE (instruments.id IS NULL OR instruments.kind = ${future}) AND COALESCE(stated.isFirst, 1);
  DROP TABLE stated;
  DROP TABLE orders;
  CREATE INDEX executions_by_time ON executions (account, ms);
  CREATE INDEX executions_by_instrument ON executions (account, instrument, ms);`

const extract = (raw: string, path: string): Result<Snapshot, DatabaseProblem> => {
  const database = new Sqlite(path)
  const close = (): void => {
    database.close()
    removeDatabase(path)
  }
  try {
    for (const pragma of ['journal_mode = OFF', 'synchronous = OFF']) database.pragma(pragma)
    database.prepare('ATTACH ? AS live').run(raw)
    const isTable = database.prepare("SELECT 1 FROM live.sqlite_master WHERE type = 'table' AND lower(name) = lower(?)")
    for (const [table, columns] of Object.entries(columnsRead)) {
      const there = new Set((database.pragma(`live.table_info(${table})`) as { name: string }[]).map(({ name }) => name))
      // A view could compute for ever.
      if (isTable.get(table) === undefined || !columns.every((column) => there.has(column))) {
        close()
        return err('unknown-shape')
      }
    }
    if (database.pragma('live.quick_check(1)', { simple: true }) !== 'ok') throw new Error('It is damaged')
    database.exec(extractSql)
    database.exec('DETACH live')
    database.pragma('query_only = ON')
    return ok({ database, close })
  } catch {
    close()
    return err('unreadable')
  }
}
