import Sqlite from 'better-sqlite3'

/** One execution; without a side by an order's action (0 Buy, 1 Sell, 2 SellShort, 3 BuyToCover). `at` in UTC ms. */
export type Execution = {
  readonly account: string
  readonly at: number
  readonly side?: 'buy' | 'sell'
  readonly action?: 0 | 1 | 2 | 3
  readonly qty: number
  readonly price: number
  readonly root?: string
  /** The contract's month, `YYYY-MM`. */
  readonly month?: string
  readonly commission?: number
  readonly fee?: number
  readonly executionId?: string
  readonly position?: number
  readonly withOrder?: boolean
  /** In 100 ns after `at`. */
  readonly later?: number
}

/** NinjaTrader's database as NinjaTrader writes it. */
export type NinjatraderDatabase = ReturnType<typeof createNinjatrader>

const ticks = (ms: number): bigint => 621_355_968_000_000_000n + BigInt(ms) * 10_000n

// The columns of a real one, as public readers have them; of the other tables those that are read.
const schema = `
  CREATE TABLE MasterInstruments (Id INTEGER PRIMARY KEY, Name TEXT, InstrumentType INTEGER, PointValue REAL, TickSize REAL, TradingHours TEXT);
  CREATE TABLE Instruments (Id INTEGER PRIMARY KEY, Exchange INTEGER, Expiry INTEGER, MasterInstrument INTEGER);
  CREATE TABLE Accounts (Id INTEGER PRIMARY KEY, Name TEXT, DisplayName TEXT, Provider INTEGER);
  CREATE TABLE Orders (Id INTEGER PRIMARY KEY, OrderId TEXT, Account INTEGER, Instrument INTEGER, Name TEXT, OrderAction INTEGER, OrderState INTEGER, OrderType INTEGER, Quantity INTEGER, Filled INTEGER, AvgFillPrice REAL, LimitPrice REAL, StopPrice REAL, Time INTEGER);
  CREATE TABLE Executions (Id INTEGER PRIMARY KEY, Account INTEGER, BarIndex INTEGER, Commission REAL, Exchange INTEGER, ExecutionId TEXT, Fee REAL, Instrument INTEGER, IsEntry INTEGER, IsEntryStrategy INTEGER, IsExit INTEGER, IsExitStrategy INTEGER, LotSize INTEGER, MarketPosition INTEGER, MaxPrice REAL, MinPrice REAL, Name TEXT, OrderId TEXT, Position INTEGER, PositionStrategy INTEGER, Price REAL, Quantity INTEGER, Rate REAL, StatementDate INTEGER, Time INTEGER, ServerName TEXT);
  CREATE TABLE Users (Id INTEGER PRIMARY KEY, Name TEXT, Password TEXT, Salt TEXT);
  INSERT INTO MasterInstruments VALUES (1, 'MNQ', 0, 2.0, 0.25, 'CME US Index Futures ETH');
  INSERT INTO Instruments VALUES (11, 1, ${String(ticks(Date.UTC(2026, 2, 1)))}, 1);`

/** Makes an empty one at a path, open and in WAL mode as while NinjaTrader runs. */
export const createNinjatrader = (file: string) => {
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  database.exec(schema)
  const accounts = new Map<string, number>()
  const positions = new Map<string, number>()
  let count = 0
  const accountId = (name: string): number => {
    const known = accounts.get(name) ?? accounts.size + 2
    if (!accounts.has(name)) database.prepare('INSERT INTO Accounts VALUES (?, ?, ?, 0)').run(known, name, name)
    accounts.set(name, known)
    return known
  }
  const instrument = ({ root, kind, pointValue, tickSize }: { readonly root: string; readonly kind: number; readonly pointValue: number; readonly tickSize: number }): void =>
    void database.prepare('INSERT INTO MasterInstruments (Name, InstrumentType, PointValue, TickSize) VALUES (?, ?, ?, ?)').run(root, kind, pointValue, tickSize)
  const instrumentId = (root: string, month: string): number => {
    const expiry = ticks(Date.parse(`${month}-01T00:00:00Z`))
    const master = (database.prepare('SELECT Id FROM MasterInstruments WHERE Name = ?').get(root) as { Id: number }).Id
    const known = database.prepare('SELECT Id FROM Instruments WHERE MasterInstrument = ? AND Expiry = ?').get(master, expiry) as { Id: number } | undefined
    return known?.Id ?? Number(database.prepare('INSERT INTO Instruments (Exchange, Expiry, MasterInstrument) VALUES (1, ?, ?)').run(expiry, master).lastInsertRowid)
  }
  return {
    file,
    instrument,
    execute: (given: Execution): void => {
      const { account, at, qty, price, root = 'MNQ', month = '2026-03', commission = 0, fee = 0, withOrder = true, later = 0 } = given
      count += 1
      const action = given.action ?? (given.side === 'sell' ? 1 : 0)
      const [own, of] = [accountId(account), instrumentId(root, month)]
      const place = `${account} ${String(of)}`
      const position = given.position ?? (positions.get(place) ?? 0) + (action === 0 || action === 3 ? qty : -qty)
      positions.set(place, position)
      const order = `o-${String(count)}`
      if (withOrder) database.prepare('INSERT INTO Orders (OrderId, Account, Instrument, OrderAction, Time) VALUES (?, ?, ?, ?, ?)').run(order, own, of, action, ticks(at))
      database
        .prepare('INSERT INTO Executions (Account, Commission, ExecutionId, Fee, Instrument, OrderId, Position, Price, Quantity, Time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
        .run(own, commission, given.executionId ?? `x-${String(count)}`, fee, of, order, position, price, qty, ticks(at) + BigInt(later))
    },
    /** Drops the oldest executions, as NinjaTrader's reset of its database does. */
    drop: (executions: number): void => void database.prepare('DELETE FROM Executions WHERE Id IN (SELECT Id FROM Executions ORDER BY Id LIMIT ?)').run(executions),
    /** A user with a password, which must not leave the database. */
    secret: (password: string): void => void database.prepare('INSERT INTO Users (Name, Password, Salt) VALUES (?, ?, ?)').run('trader', password, 'salt'),
    close: (): void => void database.close(),
  }
}
