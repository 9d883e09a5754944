import type { Result } from '#shared/base/result.ts'
import type { BalanceReading, CashReading, RowProblem } from './reading.ts'
import { refuseOtherSession } from './row-contradictions.ts'
import { cellText, finishRow, optionalAccountNumber, optionalCurrency, optionalText, requiredAccount, requiredContract, requiredDate, requiredId, requiredMoney, requiredText, requiredTime, signedCurrency, type OpenRow } from './row-cells.ts'

const pairs = new Set(['tradepaired', 'cancelledpairedtrade', 'canceledpairedtrade'])
const fees = new Set(['commission', 'exchangefee', 'clearingfee', 'nfafee', 'brokeragefee', 'ipfee', 'orderroutingfee', 'liquidationfee'])
// Charges for the account itself, and a change of currency: money that nobody receives.
const unpaid = new Set(['fundtransactionfee', 'marketdatafee', 'marketdatasubscription', 'tradovatesubscription', 'entitlementsubscription', 'deskfee', 'currencyconversion'])
// Deposits, withdrawals, and account charges independent of trading; not option or settlement bookings.
const transfers = new Set([...unpaid, 'fundtransaction', 'deposit', 'withdrawal', 'payout', 'challengepayout'])
// The same, unless they name a contract: then they may correct a trade's booking.
const bookings = new Set(['manualadjustment', 'automaticreconciliation', 'credit', 'debit'])
// Firms name fees freely. A fee that names a contract is a cost of trading it; any other may be anything.
const feeName = /fees?$|commissions?$/

/** Reads a Cash History row: one cash movement. */
export const readCashHistoryRow = (row: OpenRow): Result<CashReading, RowProblem> => {
  const contract = cellText(row, 'Contract') === '' ? null : requiredContract(row, 'Contract')
  const reading: CashReading = {
    says: 'cash',
    account: { id: null, name: requiredAccount(row, 'Account', contract) },
    transactionId: requiredId(row, 'Transaction ID'),
    time: requiredTime(row, 'Timestamp'),
    tradeDate: requiredDate(row, 'Date'),
    ...movementOf(requiredText(row, 'Cash Change Type'), cellText(row, 'Contract') !== ''),
    delta: requiredMoney(row, 'Delta'),
    amount: requiredMoney(row, 'Amount'),
    currency: optionalCurrency(row, 'Currency') ?? signedCurrency(row, null),
    contract,
  }
  refuseOtherSession(row, 'Date', reading.tradeDate, reading.time)
  return finishRow(row, reading)
}

const lettersOf = (type: string): string => type.toLowerCase().replaceAll(/[^a-z]/g, '')

const movementOf = (type: string, namesContract: boolean): Pick<CashReading, 'movement' | 'type' | 'transfer'> => {
  const plain = lettersOf(type)
  if (pairs.has(plain)) return { movement: 'pair', type }
  if (transfers.has(plain) || (bookings.has(plain) && !namesContract)) return { movement: 'other', type, transfer: true }
  return { movement: fees.has(plain) || (namesContract && feeName.test(plain)) ? 'fee' : 'other', type }
}

/** Whether a row is a deposit, a withdrawal, or otherwise not a trade's. A row with a contract may correct a trade's booking, whatever its type. */
export const isTransfer = ({ movement, transfer, contract }: Pick<CashReading, 'movement' | 'transfer' | 'contract'>): boolean => movement === 'other' && transfer === true && contract === null

/** Whether a transfer that took money out may have paid somebody: a charge for the account or a change of currency did not. */
export const mayBePaidOut = ({ type }: Pick<CashReading, 'type'>): boolean => type === undefined || !unpaid.has(lettersOf(type))

/** Reads an Account Balance History row: an account at the end of one session. */
export const readBalanceRow = (row: OpenRow): Result<BalanceReading, RowProblem> => {
  const [id, name] = [optionalAccountNumber(row, 'Account ID'), optionalText(row, 'Account Name')]
  if (id === null && name === null) requiredText(row, 'Account Name')
  const figures = { total: requiredMoney(row, 'Total Amount'), realized: requiredMoney(row, 'Total Realized PNL') }
  const currency = signedCurrency(row, null)
  return finishRow(row, { says: 'balance', account: { id, name }, tradeDate: requiredDate(row, 'Trade Date'), ...figures, ...(currency === null ? {} : { currency }) })
}
