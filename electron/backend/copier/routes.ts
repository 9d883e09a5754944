import type { CopierLive, copierRoutes } from '#shared/api/copier.ts'
import type { Refused } from '#shared/api/refused.ts'
import { ok, type Result } from '#shared/base/result.ts'
import type { Copier } from './service.ts'
import type { CopierLedger } from './copier-ledger.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'

const shown = (result: Result<CopierLive, Refused>): Result<{ live: CopierLive }, Refused> => (result.ok ? ok({ live: result.value }) : result)

/** HTTP handlers of the trade copier: groups, commands, and ledger. */
export const copierHandlers = ({ copier, copierLedger: ledger }: { readonly copier: Copier; readonly copierLedger: CopierLedger }): Handlers<typeof copierRoutes, Browser, Caller> => ({
  copier: async ({ caller }) => ok(await copier.state(caller.id)),
  saveGroup: ({ caller, body }) => copier.saveGroup(caller.id, body.id, body.draft),
  removeGroup: async ({ caller, body }) => {
    const removed = await copier.removeGroup(caller.id, body.id)
    return removed.ok ? ok({ removed: removed.value }) : removed
  },
  consent: async ({ caller }) => ok({ consentedAt: await copier.consent(caller.id) }),
  arm: async ({ caller, body }) => {
    const armed = await copier.arm(caller.id, body.id, body.onlyMachine)
    return armed.ok ? ok({ outcome: armed.value }) : armed
  },
  disarm: async ({ caller, body }) => shown(await copier.disarm(caller.id, body.id)),
  pause: async ({ caller, body }) => shown(await copier.pause(caller.id, body.id)),
  resume: async ({ caller, body }) => shown(await copier.resume(caller.id, body.id)),
  flatten: async ({ caller, body }) => {
    const reports = await copier.flatten(caller.id, body.id)
    return reports.ok ? ok({ reports: [...reports.value] }) : reports
  },
  answerStart: async ({ caller, body: { answer, ...of } }) => shown(await copier.answerStart(caller.id, of, answer)),
  settle: async ({ caller, body: { answer, ...of } }) => shown(await copier.settle(caller.id, of, answer)),
  unlock: async ({ caller, body }) => shown(await copier.unlock(caller.id, body)),
  cancelLeft: async ({ caller, body }) => shown(await copier.cancelLeft(caller.id, body.id)),
  ledger: async ({ caller, query }) => ok(await ledger.ledger(caller.id, query)),
  dryRun: async ({ caller, query }) => ok(await ledger.dryRun(caller.id, query)),
  copierFigures: async ({ caller, query }) => ok(await ledger.figures(caller.id, query)),
})
