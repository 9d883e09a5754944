/** One product of the built-in table; figures are exact decimals in the product's currency. */
export type ContractRow = {
  readonly root: string
  readonly name: string
  readonly exchange: string
  readonly currency: string
  /** Money per 1.00 of price as normally displayed; grains, meats and most softs are displayed in cents. */
  readonly multiplier: string
  readonly tickSize: string
  readonly tickValue: string
  /** All fees of one side of one contract. */
  readonly commission: string
}

// Root, name, exchange, currency, multiplier, tick size, tick value, commission a side.
const rows = [
  // Equity index
  ['ES', 'E-mini S&P 500', 'CME', 'USD', '50', '0.25', '12.5', '2.05'],
  ['MES', 'Micro E-mini S&P 500', 'CME', 'USD', '5', '0.25', '1.25', '0.95'],
  ['NQ', 'E-mini Nasdaq-100', 'CME', 'USD', '20', '0.25', '5', '1.55'],
  ['MNQ', 'Micro E-mini Nasdaq-100', 'CME', 'USD', '2', '0.25', '0.5', '0.52'],
  ['YM', 'E-mini Dow', 'CBOT', 'USD', '5', '1', '5', '1.80'],
  ['MYM', 'Micro E-mini Dow', 'CBOT', 'USD', '0.5', '1', '0.5', '0.52'],
  ['RTY', 'E-mini Russell 2000', 'CME', 'USD', '50', '0.1', '5', '2.05'],
  ['M2K', 'Micro E-mini Russell 2000', 'CME', 'USD', '5', '0.1', '0.5', '0.52'],
  ['EMD', 'E-mini S&P MidCap 400', 'CME', 'USD', '100', '0.1', '10', '2.05'],
  ['NKD', 'Nikkei 225 (USD)', 'CME', 'USD', '5', '5', '25', '2.05'],
  ['VX', 'VIX', 'CFE', 'USD', '1000', '0.05', '50', '2.80'],
  ['FDAX', 'DAX', 'Eurex', 'EUR', '25', '1', '25', '2.50'],
  ['FDXM', 'Mini-DAX', 'Eurex', 'EUR', '5', '1', '5', '1.20'],
  ['FDXS', 'Micro-DAX', 'Eurex', 'EUR', '1', '1', '1', '0.52'],
  ['FESX', 'Euro Stoxx 50', 'Eurex', 'EUR', '10', '1', '10', '1.20'],
  ['FSXE', 'Micro Euro Stoxx 50', 'Eurex', 'EUR', '1', '0.5', '0.5', '0.52'],
  ['FSTX', 'Stoxx Europe 50', 'Eurex', 'EUR', '10', '1', '10', '1.20'],
  // Energy
  ['CL', 'WTI crude', 'NYMEX', 'USD', '1000', '0.01', '10', '2.80'],
  ['MCL', 'Micro WTI', 'NYMEX', 'USD', '100', '0.01', '1', '0.52'],
  ['QM', 'E-mini crude', 'NYMEX', 'USD', '500', '0.025', '12.5', '1.40'],
  ['NG', 'Henry Hub gas', 'NYMEX', 'USD', '10000', '0.001', '10', '2.80'],
  ['QG', 'E-mini gas', 'NYMEX', 'USD', '2500', '0.005', '12.5', '1.40'],
  ['RB', 'RBOB gasoline', 'NYMEX', 'USD', '42000', '0.0001', '4.2', '2.80'],
  ['HO', 'NY Harbor ULSD', 'NYMEX', 'USD', '42000', '0.0001', '4.2', '2.80'],
  ['BZ', 'Brent last day', 'NYMEX', 'USD', '1000', '0.01', '10', '2.80'],
  // Metals
  ['GC', 'Gold', 'COMEX', 'USD', '100', '0.1', '10', '2.80'],
  ['MGC', 'Micro gold', 'COMEX', 'USD', '10', '0.1', '1', '1.30'],
  ['QO', 'E-mini gold', 'COMEX', 'USD', '50', '0.25', '12.5', '1.40'],
  ['SI', 'Silver', 'COMEX', 'USD', '5000', '0.005', '25', '2.80'],
  ['SIL', 'Micro silver (1 000 oz)', 'COMEX', 'USD', '1000', '0.005', '5', '1.40'],
  ['HG', 'Copper', 'COMEX', 'USD', '25000', '0.0005', '12.5', '2.80'],
  ['MHG', 'Micro copper', 'COMEX', 'USD', '2500', '0.0005', '1.25', '1.30'],
  ['PL', 'Platinum', 'NYMEX', 'USD', '50', '0.1', '5', '2.80'],
  ['PA', 'Palladium', 'NYMEX', 'USD', '100', '0.5', '50', '2.80'],
  // Interest rates
  ['ZB', '30-yr T-bond', 'CBOT', 'USD', '1000', '0.03125', '31.25', '1.80'],
  ['UB', 'Ultra bond', 'CBOT', 'USD', '1000', '0.03125', '31.25', '1.80'],
  ['ZN', '10-yr note', 'CBOT', 'USD', '1000', '0.015625', '15.625', '1.80'],
  ['TN', 'Ultra 10-yr', 'CBOT', 'USD', '1000', '0.015625', '15.625', '1.80'],
  ['ZF', '5-yr note', 'CBOT', 'USD', '1000', '0.0078125', '7.8125', '1.80'],
  ['ZT', '2-yr note', 'CBOT', 'USD', '2000', '0.00390625', '7.8125', '1.80'],
  ['FGBL', 'Euro-Bund', 'Eurex', 'EUR', '1000', '0.01', '10', '1.80'],
  ['FGBM', 'Euro-Bobl', 'Eurex', 'EUR', '1000', '0.01', '10', '1.80'],
  ['FGBS', 'Euro-Schatz', 'Eurex', 'EUR', '1000', '0.005', '5', '1.80'],
  ['FGBX', 'Euro-Buxl', 'Eurex', 'EUR', '1000', '0.02', '20', '1.80'],
  // Grains, oilseeds (cents unless noted)
  ['ZC', 'Corn', 'CBOT', 'USD', '50', '0.25', '12.5', '2.80'],
  ['ZS', 'Soybeans', 'CBOT', 'USD', '50', '0.25', '12.5', '2.80'],
  ['ZW', 'Chicago wheat', 'CBOT', 'USD', '50', '0.25', '12.5', '2.80'],
  ['KE', 'KC wheat', 'CBOT', 'USD', '50', '0.25', '12.5', '2.80'],
  ['ZO', 'Oats', 'CBOT', 'USD', '50', '0.25', '12.5', '2.80'],
  ['ZM', 'Soybean meal ($/t)', 'CBOT', 'USD', '100', '0.1', '10', '2.80'],
  ['ZL', 'Soybean oil (¢/lb)', 'CBOT', 'USD', '600', '0.01', '6', '2.80'],
  ['ZR', 'Rough rice (¢/cwt)', 'CBOT', 'USD', '20', '0.5', '10', '2.80'],
  // Livestock (cents/lb)
  ['HE', 'Lean hogs', 'CME', 'USD', '400', '0.025', '10', '2.80'],
  ['LE', 'Live cattle', 'CME', 'USD', '400', '0.025', '10', '2.80'],
  ['GF', 'Feeder cattle', 'CME', 'USD', '500', '0.025', '12.5', '2.80'],
  // Currencies
  ['6E', 'Euro', 'CME', 'USD', '125000', '0.00005', '6.25', '1.80'],
  ['6B', 'British pound', 'CME', 'USD', '62500', '0.0001', '6.25', '1.80'],
  ['6J', 'Japanese yen', 'CME', 'USD', '12500000', '0.0000005', '6.25', '1.80'],
  ['6A', 'Australian dollar', 'CME', 'USD', '100000', '0.00005', '5', '1.80'],
  ['6C', 'Canadian dollar', 'CME', 'USD', '100000', '0.00005', '5', '1.80'],
  ['6S', 'Swiss franc', 'CME', 'USD', '125000', '0.00005', '6.25', '1.80'],
  ['6N', 'New Zealand dollar', 'CME', 'USD', '100000', '0.00005', '5', '1.80'],
  ['6M', 'Mexican peso', 'CME', 'USD', '500000', '0.00001', '5', '1.80'],
  ['6Z', 'South African rand', 'CME', 'USD', '500000', '0.000025', '12.5', '1.80'],
  ['M6E', 'Micro euro', 'CME', 'USD', '12500', '0.0001', '1.25', '0.52'],
  ['M6A', 'Micro Aussie', 'CME', 'USD', '10000', '0.0001', '1', '0.52'],
  ['M6B', 'Micro pound', 'CME', 'USD', '6250', '0.0001', '0.625', '0.52'],
  // Crypto
  ['BTC', 'Bitcoin (5 BTC)', 'CME', 'USD', '5', '5', '25', '2.80'],
  ['MBT', 'Micro bitcoin (0.1)', 'CME', 'USD', '0.1', '5', '0.5', '0.52'],
  ['ETH', 'Ether (50)', 'CME', 'USD', '50', '0.5', '25', '2.80'],
  ['MET', 'Micro ether (0.1)', 'CME', 'USD', '0.1', '0.5', '0.05', '0.52'],
  // Softs, ICE US (cents/lb unless noted)
  ['KC', 'Coffee', 'ICE', 'USD', '375', '0.05', '18.75', '2.80'],
  ['SB', 'Sugar 11', 'ICE', 'USD', '1120', '0.01', '11.2', '2.80'],
  ['CT', 'Cotton', 'ICE', 'USD', '500', '0.01', '5', '2.80'],
  ['OJ', 'Orange juice', 'ICE', 'USD', '150', '0.05', '7.5', '2.80'],
  ['CC', 'Cocoa ($/t)', 'ICE', 'USD', '10', '1', '10', '2.80'],
] as const

/** Every product that Fillbook knows without a broker. Commissions differ by firm and plan: a fill's own fees win over them. */
export const contractTable: readonly ContractRow[] = rows.map(
  ([root, name, exchange, currency, multiplier, tickSize, tickValue, commission]) => ({
    root,
    name,
    exchange,
    currency,
    multiplier,
    tickSize,
    tickValue,
    commission,
  }),
)
