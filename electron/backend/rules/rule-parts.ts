import { addAlerts, alertMarks, alertSettings, ruleAlerts, seeAlerts, setAlertSettings } from './alert-queries.ts'
import { replayJson, ruleDays } from './rule-days.ts'
import { keepExtremes, sessionExtremes } from './session-extremes.ts'
import { ruledAccounts } from './ruled-accounts.ts'
import { anyRules, noteBreach, setRules, setStage } from './queries.ts'

/** What the journal answers of rules and alerts. */
export const ruleReads = { ruledAccounts, anyRules, ruleDays, replayJson, alertSettings, ruleAlerts, alertMarks, sessionExtremes }

/** What of them is kept in one transaction each. */
export const ruleWrites = { setRules, setStage, noteBreach, keepExtremes, setAlertSettings, addAlerts, seeAlerts }
