import { onTestFinished } from 'vitest'
import { startTestBroker, type TestBroker, type TestBrokerOptions } from '#tests/demo-broker/broker.ts'
import { giveConsent } from '#tests/demo-broker/give-consent.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import type { Browser } from './browser.ts'

/** A stand-in of the test's own that ends with it, and the settings with which the program takes it for the real brokerage. */
export const startBroker = async (given: Pick<TestBrokerOptions, 'scenario'> = {}): Promise<{ broker: TestBroker; env: Record<string, string> }> => {
  const broker = await startTestBroker({ anchor: '2026-11-20', clientId: 'own-app', clientSecret: 'own-secret-5f1c', ...given })
  onTestFinished(broker.stop)
  return { broker, env: brokerSettings(broker) }
}

/** The settings with which the program takes a stand-in for the real brokerage. */
export const brokerSettings = ({ clientId, clientSecret, origins: { consentUrl, liveApi, demoApi, tokenUrls, reports, quotes } }: Pick<TestBroker, 'clientId' | 'clientSecret' | 'origins'>): Record<string, string> => ({
  FILLBOOK_TRADOVATE_CLIENT_ID: clientId,
  FILLBOOK_TRADOVATE_CLIENT_SECRET: clientSecret,
  FILLBOOK_TRADOVATE_AUTHORIZE_URL: consentUrl,
  FILLBOOK_TRADOVATE_TOKEN_URL: tokenUrls[0],
  FILLBOOK_TRADOVATE_LIVE_URL: liveApi,
  FILLBOOK_TRADOVATE_DEMO_URL: demoApi,
  FILLBOOK_TRADOVATE_REPORTS_LIVE_URL: reports.live,
  FILLBOOK_TRADOVATE_REPORTS_DEMO_URL: reports.demo,
  FILLBOOK_TRADOVATE_QUOTES_URL: quotes,
})

/** Decides on the consent page that the program names, and gives what comes back in the address. */
export const decide = async (browser: Browser, login: string, decision: 'allow' | 'deny' = 'allow'): Promise<{ back: URL; code: string; state: string }> => {
  const { url } = await browser.call(brokerageRoutes.beginConsent, { body: { returnTo: 'tradecopier' } })
  const asked = new URL(url)
  const given = (name: string): string => asked.searchParams.get(name) ?? ''
  const back = await giveConsent({ consentUrl: `${asked.origin}${asked.pathname}`, clientId: given('client_id'), redirectUri: given('redirect_uri'), state: given('state'), login, decision })
  return { back, code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' }
}

/** Allows access and hands the code over, as the callback screen does. */
export const connect = async (browser: Browser, userId: string, login: string) => {
  const { code, state } = await decide(browser, login)
  return browser.call(brokerageRoutes.tradovate, { body: { userId, code, state } })
}
