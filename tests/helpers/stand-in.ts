import type { TestBroker } from '#tests/demo-broker/broker.ts'
import { giveConsent } from '#tests/demo-broker/give-consent.ts'
import type { Connections } from '#backend/accounts/connections.ts'
import type { Brokerage } from '#backend/sync/token-keeper.ts'

/** The stand-in as a brokerage that a profile connects to. */
export const brokerageAt = (broker: Pick<TestBroker, 'origins' | 'clientId' | 'clientSecret'>): Brokerage => ({
  hosts: { authorize: broker.origins.consentUrl, token: broker.origins.tokenUrls, live: broker.origins.liveApi, demo: broker.origins.demoApi, reports: broker.origins.reports, quotes: broker.origins.quotes },
  application: { clientId: broker.clientId, clientSecret: broker.clientSecret },
  redirectUri: 'http://127.0.0.1:5055/oauth/callback',
})

/** Begins a consent and allows it on the stand-in's page; gives what the callback would be called with. */
export const consentTo = async (connections: Connections, userId: string, brokerage: Brokerage, login: string): Promise<{ code: string; state: string }> => {
  const begun = await connections.beginConsent(userId, { returnTo: 'autosync' })
  if (!begun.ok) throw new Error(`No consent: ${begun.error.code}`)
  const asked = new URL(begun.value.url).searchParams
  const state = asked.get('state') ?? ''
  const back = await giveConsent({ consentUrl: brokerage.hosts.authorize, clientId: asked.get('client_id') ?? '', redirectUri: brokerage.redirectUri, state, login, decision: 'allow' })
  return { code: back.searchParams.get('code') ?? '', state: back.searchParams.get('state') ?? '' }
}
