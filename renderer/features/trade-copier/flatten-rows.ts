import type { CopyGroup, CopierLive, FlattenReport } from '#shared/api/copier.ts'

/** One account of a flattening: what it still holds, and what came of it once that is known. */
export type FlattenRow = {
  readonly account: string
  /** Whether anybody knows what it holds: of a follower that is off nobody does before it is read. */
  readonly known: boolean
  readonly left: readonly { readonly contract: string; readonly net: number }[]
  readonly outcome: FlattenReport['outcome'] | null
  /** What the broker said. */
  readonly detail: string | null
}

/** The followers of these groups with what they hold, or in a dry run would hold, by the newest word; a report, once there, is the last word. */
export const flattenRows = (groups: readonly CopyGroup[], live: CopierLive, reports: readonly FlattenReport[]): FlattenRow[] => {
  const isDryRun = groups.length > 0 && groups.every(({ dryRun }) => dryRun)
  const reported = new Map(reports.map((report) => [report.account, report]))
  const known = new Map(live.groups.flatMap(({ followers }) => followers).map((follower) => [follower.account, follower]))
  const accounts = [...new Set([...groups.flatMap(({ followers }) => followers.map(({ account }) => account)), ...reported.keys()])]
  return accounts.map((account) => {
    const report = reported.get(account)
    if (report !== undefined) return { ...report, known: true }
    const follower = known.get(account)
    const left = (follower?.contracts ?? []).map(({ contract, real, simulated }) => ({ contract, net: isDryRun ? simulated : real })).filter(({ net }) => net !== 0)
    return { account, known: follower !== undefined && follower.state !== 'off', left, outcome: null, detail: null }
  })
}

/** The groups that Flatten all is about: all, but dry runs only where nothing else is there, since they never sent anything. */
export const toFlatten = (groups: readonly CopyGroup[]): readonly CopyGroup[] => {
  const real = groups.filter(({ dryRun }) => !dryRun)
  return real.length > 0 ? real : groups
}
