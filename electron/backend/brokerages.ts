import { err } from '#shared/base/result.ts'
import { createCloudClient, type CloudIdentity } from './cloud/client.ts'
import type { DemoMode } from './demo-mode.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { Brokerages } from './sync/token-keeper.ts'
import type { Settings } from './settings.ts'
import { systemTiming, type Timing } from './brokers/timing.ts'
import { createCloudBrokerage, tokensTimeoutMs } from './cloud/brokerage.ts'
import type { BrokerApp } from './sync/broker-app.ts'
import { cloudApp } from './accounts/cloud-app.ts'

const secretName = 'tradovate:client-secret'

/** For consent in the app's window: the origins of the brokerages' pages, and redirect addresses outside of this program's origin. */
export const consentPlaces = (brokerages: Brokerages, origin: string): { readonly origins: readonly string[]; readonly returns: readonly string[] } => {
  const there = [brokerages.demo(), brokerages.real()].filter((brokerage) => brokerage !== null)
  return {
    origins: [...new Set(there.map(({ hosts }) => new URL(hosts.authorize).origin))],
    returns: [...new Set(there.map(({ redirectUri }) => redirectUri))].filter((uri) => new URL(uri).origin !== origin),
  }
}

/** The available brokerages. A client secret in the settings moves to the secret store, and is unused with a cloud; `origin` is this program's address. */
export const setUpBrokerages = async (parts: {
  readonly settings: Settings['tradovate']
  readonly secrets: Secrets
  readonly demo: DemoMode | null
  /** A profile's identity in the cloud that holds the client secret; null if this computer has its own id and secret. */
  readonly identityOf: ((userId: string) => Promise<CloudIdentity | null>) | null
  /** A function, because a free port is known only after the start. */
  readonly origin: () => string
}): Promise<Brokerages> => {
  const { settings, secrets, demo, identityOf, origin } = parts
  if (settings.clientSecret !== null) await secrets.set(secretName, settings.clientSecret)
  const clientId = settings.clientId
  const clientSecret = clientId === null ? null : await secrets.get(secretName)
  const own = clientId === null || clientSecret === null ? null : { clientId, clientSecret }
  const application = identityOf === null ? own : { ofUser: createCloudApps({ identityOf, timing: systemTiming }) }
  const ownCallback = (): string => `${origin()}/oauth/callback`
  return {
    demo: () => demo?.brokerage(ownCallback()) ?? null,
    real: () =>
      application === null
        ? null
        : {
            hosts: { authorize: settings.authorizeUrl, token: settings.tokenUrls, live: settings.liveUrl, demo: settings.demoUrl, reports: settings.reports, ...(settings.quotesUrl === null ? {} : { quotes: settings.quotesUrl }) },
            application,
            redirectUri: settings.redirectUri ?? ownCallback(),
          },
  }
}

/** The cloud's application at the brokerage, as each of its users has it. */
const createCloudApps = (parts: { readonly identityOf: (userId: string) => Promise<CloudIdentity | null>; readonly timing: Timing }): ((userId: string) => BrokerApp) => {
  const apps = new Map<string, BrokerApp>()
  const make = (userId: string): BrokerApp => {
    const access: CloudIdentity['access'] = async (refused) => {
      const identity = await parts.identityOf(userId)
      return identity === null ? err({ kind: 'refused', status: 401, code: null }) : identity.access(refused)
    }
    return cloudApp(createCloudBrokerage(createCloudClient({ access }, tokensTimeoutMs)), parts.timing)
  }
  return (userId) => {
    const app = apps.get(userId) ?? make(userId)
    apps.set(userId, app)
    return app
  }
}
