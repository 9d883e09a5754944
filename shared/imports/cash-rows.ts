import type { Result } from '#shared/base/result.ts'
import type { BalanceReading, CashReading, RowProblem } from './reading.ts'
import { cellText, finishRow, optionalCurrency, optionalText, requiredContract, requiredDate, requiredId, requiredMoney, requiredText, requiredTime, type OpenRow } from './row-cells.ts'

const fees = new Set(['commission', 'exchangefee', 'clearingfee', 'nfafee', 'brokeragefee', 'ipfee', 'orderroutingfee'])
// Money that goes in or out, and what an account pays whether it trades or not. What options, settlements and cancelled trades book is not among them.
const transfers = new Set([
  ...['fundtransaction', 'fundtransactionfee', 'deposit', 'withdrawal', 'payout', 'challengepayout', 'manualadjustment', 'automaticreconciliation', 'credit', 'debit'],
  ...['marketdatafee', 'marketdatasubscription', 'tradovatesubscription', 'entitlementsubscription', 'deskfee'],
])

/** A row of the Cash History: one movement of an account's cash. */
export const readCashHistoryRow = (row: OpenRow): Result<CashReading, RowProblem> =>
  finishRow(row, {
    says: 'cash',
    account: { id: null, name: requiredText(row, 'Account') },
    transactionId: requiredId(row, 'Transaction ID'),
    time: requiredTime(row, 'Timestamp'),
    tradeDate: requiredDate(row, 'Date'),
    ...movementOf(requiredText(row, 'Cash Change Type')),
    delta: requiredMoney(row, 'Delta'),
    amount: requiredMoney(row, 'Amount'),
    currency: optionalCurrency(row, 'Currency'),
    contract: cellText(row, 'Contract') === '' ? null : requiredContract(row, 'Contract'),
  })

const movementOf = (type: string): Pick<CashReading, 'movement' | 'transfer'> => {
  const plain = type.toLowerCase().replaceAll(' ', '')
  if (plain === 'tradepaired') return { movement: 'pair' }
  if (fees.has(plain)) return { movement: 'fee' }
  return transfers.has(plain) ? { movement: 'other', transfer: true } : { movement: 'other' }
}

/** A row of the Account Balance History: how an account stood at the end of one session. */
export const readBalanceRow = (row: OpenRow): Result<BalanceReading, RowProblem> => {
  const [id, name] = [optionalText(row, 'Account ID'), optionalText(row, 'Account Name')]
  if (id === null && name === null) requiredText(row, 'Account Name')
  return finishRow(row, {
    says: 'balance',
    account: { id, name },
    tradeDate: requiredDate(row, 'Trade Date'),
    total: requiredMoney(row, 'Total Amount'),
    realized: requiredMoney(row, 'Total Realized PNL'),
  })
}
