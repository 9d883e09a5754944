import type { Panel } from './panel.ts'

/** The longest losing and winning streaks of one account, over days, in trades. `lossesEnd` is the index of the last loss of the first longest losing streak. */
export type LongestRuns = { readonly losses: number; readonly lossesEnd: number; readonly wins: number }

/** The longest streaks of a panel by gross P&L; a trade at zero ends a streak. */
export const longestRuns = ({ size, account, accounts, gross }: Panel): LongestRuns => {
  const [lossRun, winRun] = [new Uint32Array(accounts.length), new Uint32Array(accounts.length)]
  let [losses, lossesEnd, wins] = [0, -1, 0]
  for (let index = 0; index < size; index += 1) {
    const who = account[index] ?? 0
    const sign = Math.sign(gross[index] ?? 0)
    lossRun[who] = sign < 0 ? (lossRun[who] ?? 0) + 1 : 0
    winRun[who] = sign > 0 ? (winRun[who] ?? 0) + 1 : 0
    if ((lossRun[who] ?? 0) > losses) [losses, lossesEnd] = [lossRun[who] ?? 0, index]
    wins = Math.max(wins, winRun[who] ?? 0)
  }
  return { losses, lossesEnd, wins }
}
