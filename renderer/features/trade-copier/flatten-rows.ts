import type { CopyGroup, CopierLive, FlattenReport } from '#shared/api/copier.ts'

/** One account being flattened: its positions, and the result once known. */
export type FlattenRow = {
  readonly account: string
  /** Whether its positions are known: those of a follower that is off are unknown until they are read. */
  readonly known: boolean
  readonly left: readonly { readonly contract: string; readonly net: number }[]
  readonly outcome: FlattenReport['outcome'] | null
  /** The broker's message. */
  readonly detail: string | null
}

/** The followers of these groups with their latest positions, in a dry run the simulated ones; a report, once there, replaces them. */
export const flattenRows = (groups: readonly CopyGroup[], live: CopierLive, reports: readonly FlattenReport[]): FlattenRow[] => {
  const isDryRun = groups.length > 0 && groups.every(({ dryRun }) => dryRun)
  const reported = new Map(reports.map((report) => [report.account, report]))
  const known = new Map(live.groups.flatMap(({ followers }) => followers).map((follower) => [follower.account, follower]))
  const accounts = [...new Set([...groups.flatMap(({ followers }) => followers.map(({ account }) => account)), ...reported.keys()])]
  return accounts.map((account) => {
    const report = reported.get(account)
    if (report !== undefined) return { ...report, known: true }
    const follower = known.get(account)
    const left = (follower?.contracts ?? []).map(({ contract, actual, simulated }) => ({ contract, net: isDryRun ? simulated : actual })).filter(({ net }) => net !== 0)
    return { account, known: follower !== undefined && follower.state !== 'off', left, outcome: null, detail: null }
  })
}

/** The groups of Flatten all: all of them, but dry runs only if there is nothing else, because they never sent anything. */
export const toFlatten = (groups: readonly CopyGroup[]): readonly CopyGroup[] => {
  const actual = groups.filter(({ dryRun }) => !dryRun)
  return actual.length > 0 ? actual : groups
}
