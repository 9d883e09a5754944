import { addAlerts, alertMarks, alertSettings, ruleAlerts, seeAlerts, setAlertSettings } from './alerts.ts'
import { replayJson, ruleDays } from './rule-days.ts'
import { anyRules, noteBreach, ruledAccounts, setRules, setStage } from './rules.ts'

/** What the journal answers of rules and alerts. */
export const ruleReads = { ruledAccounts, anyRules, ruleDays, replayJson, alertSettings, ruleAlerts, alertMarks }

/** What of them is kept in one transaction each. */
export const ruleWrites = { setRules, setStage, noteBreach, setAlertSettings, addAlerts, seeAlerts }
