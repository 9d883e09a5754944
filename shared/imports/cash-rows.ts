import type { Result } from '#shared/base/result.ts'
import type { BalanceReading, CashReading, RowProblem } from './reading.ts'
import { cellText, finishRow, optionalCurrency, optionalText, requiredContract, requiredDate, requiredId, requiredMoney, requiredText, requiredTime, type OpenRow } from './row-cells.ts'

const fees = new Set(['commission', 'exchangefee', 'clearingfee', 'nfafee', 'brokeragefee', 'ipfee', 'orderroutingfee'])

/** A row of the Cash History: one movement of an account's cash. */
export const readCashHistoryRow = (row: OpenRow): Result<CashReading, RowProblem> =>
  finishRow(row, {
    says: 'cash',
    account: { id: null, name: requiredText(row, 'Account') },
    transactionId: requiredId(row, 'Transaction ID'),
    time: requiredTime(row, 'Timestamp'),
    tradeDate: requiredDate(row, 'Date'),
    movement: movementOf(requiredText(row, 'Cash Change Type')),
    delta: requiredMoney(row, 'Delta'),
    amount: requiredMoney(row, 'Amount'),
    currency: optionalCurrency(row, 'Currency'),
    contract: cellText(row, 'Contract') === '' ? null : requiredContract(row, 'Contract'),
  })

const movementOf = (type: string): CashReading['movement'] => {
  const plain = type.toLowerCase().replaceAll(' ', '')
  if (plain === 'tradepaired') return 'pair'
  return fees.has(plain) ? 'fee' : 'other'
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
