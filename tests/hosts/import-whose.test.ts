/** @module-tag long */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#tests/helpers/app.ts'
import { runDoor } from '#tests/helpers/run-door.ts'

const run = async (...args: readonly string[]) => {
  const door = runDoor('fillbook', ['import', ...args, '--timezone', 'America/New_York', '--json'], { TZ: 'America/New_York' })
  const code = await door.ended
  const { stdout, stderr } = door.output()
  return { code, stderr, report: stdout === '' ? null : (JSON.parse(stdout) as Record<string, unknown>) }
}

const write = (dir: string, name: string, lines: readonly string[]): string => {
  writeFileSync(join(dir, name), `${lines.join('\r\n')}\r\n`)
  return join(dir, name)
}

const pairsHeader = 'symbol,_priceFormat,_priceFormatType,_tickSize,buyFillId,sellFillId,qty,buyPrice,sellPrice,pnl,boughtTimestamp,soldTimestamp,duration'
const ordersHeader = 'orderId,Account,Order ID,B/S,Contract,avgPrice,filledQty,Fill Time,Status,_tickSize,Timestamp,Filled Qty,Avg Fill Price,decimalFillAvg'
const clock = (hour: number, minute: number): string => `06/10/2026 ${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}:07`
/** A round trip of MES at each of these minutes; with ids from `from` on, and up by so many points. */
const pairs = (from: number, points: number, minutes: readonly number[]): readonly string[] => [
  pairsHeader,
  ...minutes.map((minute, index) => `MESM6,-2,0,0.25,${String(from + 2 * index)},${String(from + 2 * index + 1)},1,6100.00,${String(6100 + points)}.00,$${String(points * 5)}.00,${clock(10, minute)},${clock(10, minute + 1)},1min `),
]
const orders = (points: number, minutes: readonly number[], hour = 10): readonly string[] => [
  ordersHeader,
  ...minutes.flatMap((minute, index) => [
    [' Buy', 6100, minute, 700 + 2 * index] as const,
    [' Sell', 6100 + points, minute + 1, 701 + 2 * index] as const,
  ]).map(([side, price, minute, id]) => `${String(id)},PA-7,${String(id)},${side},MESM6,${String(price)},1,${clock(hour, minute)}, Filled,0.25,${clock(hour, minute)},1,${String(price)}.00,${String(price)}`),
]
const minutes = [5, 10, 20]
const codesOf = (report: Record<string, unknown> | null): readonly string[] => ((report?.['warnings'] ?? []) as { code: string }[]).map(({ code }) => code)

test('Orders and Performance of one account count once: named or not, and even if one was exported an hour off', async () => {
  const dir = testFolder()
  const [performance, ordered, late] = [write(dir, 'Performance.csv', pairs(1, 2, minutes)), write(dir, 'Orders.csv', orders(2, minutes)), write(dir, 'Late.csv', orders(2, minutes, 11))]
  for (const [files, codes] of [
    [[performance, ordered], ['account-by-rows', 'commission-from-table']],
    [[late, performance], ['zone-mismatch', 'account-by-rows', 'commission-from-table']],
    [[late, performance, '--account', 'PA-7'], ['zone-mismatch', 'commission-from-table']],
    [[ordered, performance, '--account', 'Performance.csv=PA-7'], ['commission-from-table']],
  ] as const) {
    const { code, report } = await run(...files)
    expect({ code, gross: report?.['grossPnl'], pairs: report?.['pairs'], reconciliation: report?.['reconciliation'], codes: codesOf(report) }).toMatchObject({ code: 0, gross: '30.00', pairs: 3, reconciliation: { pairsChecked: 3, pairsEqual: 3 }, codes })
    expect(report?.['byAccount']).toMatchObject([{ account: 'PA-7', pairs: 3 }])
  }
  const { report } = await run(late, performance)
  expect((report?.['warnings'] as { message: string }[])[0]?.message).toMatch(/Late\.csv are an hour later than those of the same fills.*matching time zone is America\/Halifax\.$/)
})

test('files of several accounts that name none are asked about, and each can be named', { tags: ['long', 'nightly'] }, async () => {
  const dir = testFolder()
  const files = [1, 2, 3].map((points) => write(dir, `p${String(points)}.csv`, pairs(points * 100, points, minutes.map((minute) => minute + points))))
  const asked = await run(...files)
  expect({ code: asked.code, report: asked.report }).toEqual({ code: 2, report: null })
  expect(asked.stderr).toMatch(/^Whose trades are these\? .*p1\.csv, .*p2\.csv, .*p3\.csv name no account.*--account FILE=NAME/)
  const named = await run(...files, ...[1, 2, 3].flatMap((points) => ['--account', `p${String(points)}.csv=PA-${String(points)}`]))
  expect(named.code).toBe(0)
  expect(named.report).toMatchObject({ pairs: 9, grossPnl: '90.00', reconciliation: { pairsChecked: 9, pairsEqual: 9 }, byAccount: [{ account: 'PA-1' }, { account: 'PA-2' }, { account: 'PA-3' }] })
  expect(codesOf((await run(...files, '--account', 'Mine')).report)).toContain('accounts-mixed')
  // Naming one file's account does not name the others'.
  expect((await run(...files, '--account', 'p1.csv=PA-1')).code).toBe(2)
})

test('an answer that the fill ids overrule is reported as overruled', { tags: ['long', 'nightly'] }, async () => {
  const dir = testFolder()
  const [first, again] = [write(dir, 'first.csv', pairs(1, 2, minutes)), write(dir, 'again.csv', pairs(1, 2, minutes.slice(1)))]
  const fills = write(dir, 'Fills.csv', [
    '_id,_orderId,_contractId,_timestamp,_tradeDate,_action,_qty,_price,_active,Fill ID,Order ID,Timestamp,Date,Account,B/S,Quantity,Price,_priceFormat,_priceFormatType,_tickSize,Contract,Product,Product Description,commission',
    ...[1, 2].map((id) => `${String(id)},${String(700 + id)},9,2026-06-10 14:0${id === 1 ? '5' : '6'}:07.000Z,2026-06-10,${id === 1 ? '0' : '1'},1,${id === 1 ? '6100' : '6102'},true,${String(id)},${String(700 + id)},06/10/2026 10:0${id === 1 ? '5' : '6'}:07,6/10/26,PA-7,${id === 1 ? ' Buy' : ' Sell'},1,${id === 1 ? '6100.00' : '6102.00'},-2,0,0.25,MESM6,MES,Micro E-mini S&P 500,0.62`),
  ])
  const { code, report } = await run(first, again, fills, '--account', 'first.csv=PA-9')
  expect(code).toBe(0)
  expect(report).toMatchObject({ pairs: 3, grossPnl: '30.00', byAccount: [{ account: 'PA-7' }] })
  expect((report?.['warnings'] as { code: string; message: string }[]).find((warning) => warning.code === 'account-overruled')?.message).toBe(
    `${first} was assigned to another account, but by their ids the fills belong to "PA-7". They count there, once.`)
  // With the right name there is no warning.
  expect(codesOf((await run(first, again, fills, '--account', 'first.csv=PA-7')).report)).not.toContain('account-overruled')
})

test('a file whose account stays unknown is not saved, and naming the account of a file that is not given is refused', { tags: ['long', 'nightly'] }, async () => {
  const dir = testFolder()
  const [first, other] = [write(dir, 'first.csv', pairs(1, 1, minutes)), write(dir, 'other.csv', pairs(50, 2, [6, 12]))]
  const journal = join(dir, 'journal')
  expect((await run(first, '--account', 'PA-7', '--data-dir', journal)).code).toBe(0)
  const asked = await run(other, '--data-dir', journal)
  expect(asked.code).toBe(2)
  expect(asked.stderr).toMatch(/^Nothing was imported\. Whose trades are these\? .*other\.csv names no account/)
  expect((await run(other, '--account', 'other.csv=PA-8', '--data-dir', journal)).code).toBe(0)
  expect(existsSync(journal)).toBe(true)
  for (const wrong of ['gone.csv=PA-8', 'other.csv=', '']) expect((await run(other, '--account', wrong)).code).toBe(2)
})

test('a journal remembers the account of a file without a name, whatever such file comes next', { tags: ['long', 'nightly'] }, async () => {
  const dir = testFolder()
  const journal = join(dir, 'journal')
  const [first, earlier] = [write(dir, 'first.csv', pairs(100, 1, [30, 40])), write(dir, 'earlier.csv', pairs(1, 2, [5, 10]))]
  expect((await run(first, '--data-dir', journal)).code).toBe(0)
  const asked = await run(earlier, '--data-dir', journal)
  expect(asked.code).toBe(2)
  expect(asked.stderr).toMatch(/^Nothing was imported\. Whose trades are these\? .*earlier\.csv names no account/)
  // Its fills are known there.
  expect((await run(first, '--data-dir', journal)).code).toBe(0)
})

test('a file that names its own account cannot be given another, and nothing is saved', { tags: ['long', 'nightly'] }, async () => {
  const dir = testFolder()
  const [ordered, performance] = [write(dir, 'Orders.csv', orders(1, minutes)), write(dir, 'Performance.csv', pairs(1, 1, minutes))]
  const journal = join(dir, 'journal')
  const refused = await run(ordered, performance, '--account', 'Orders.csv=Mine', '--data-dir', journal)
  expect([refused.code, refused.report, existsSync(journal)]).toEqual([2, null, false])
  expect(refused.stderr).toMatch(/^Nothing was imported\. --account gives .*Orders\.csv to "Mine", but its rows name their account themselves: PA-7\. Leave --account out for this file/)
  // Its own name may be repeated, and a name for all files applies to those without one.
  for (const account of ['Orders.csv=PA-7', 'PA-7']) expect((await run(ordered, performance, '--account', account)).code).toBe(0)
})
