import type { ruleRoutes } from '#shared/api/rules.ts'
import { ok } from '#shared/base/result.ts'
import type { Alerts } from './alerts.ts'
import type { Rules } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import type { Handlers } from '../http/mount.ts'

/** Rules of accounts, their results, and alerts. */
export const ruleHandlers = ({ rules, alerts }: { readonly rules: Rules; readonly alerts: Alerts }): Handlers<typeof ruleRoutes, Browser, Caller> => ({
  rules: async ({ caller }) => ok(await rules.read(caller.id)),
  rulePresets: () => Promise.resolve(ok({ presets: rules.presets() })),
  saveRules: async ({ caller, body }) => {
    const saved = await rules.save(caller.id, body)
    return saved.ok ? ok({ rules: saved.value }) : saved
  },
  tryRules: async ({ caller, body }) => {
    const tried = await rules.try(caller.id, body)
    return tried.ok ? ok({ standing: tried.value }) : tried
  },
  setStage: async ({ caller, body }) => {
    const set = await rules.setStage(caller.id, body.account, body.stage)
    return set.ok ? ok({ rules: set.value }) : set
  },
  replay: ({ caller, body }) => rules.replay(caller.id, body),
  odds: ({ caller, body, signal }) => rules.odds(caller.id, body, signal),
  alerts: async ({ caller, query }) => ok(await alerts.page(caller.id, query.before)),
  saveAlertSettings: async ({ caller, body }) => ok({ settings: await alerts.saveSettings(caller.id, body) }),
  alertsSeen: async ({ caller, body }) => ok({ unseen: await alerts.seen(caller.id, body.upTo) }),
})
