import { createCloudApps } from '../accounts/cloud-apps.ts'
import type { CloudIdentity } from '../cloud/identity.ts'
import type { DemoMode } from '../demo-mode.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Brokerages } from '../accounts/token-keeper.ts'
import type { Settings } from '../settings.ts'
import { systemTiming } from './tradovate/timing.ts'

const secretName = 'tradovate:client-secret'

/** Where consent is given in the app's own window: the origins of the brokerages' pages, and the addresses not of this program's own origin to which those lead back. */
export const consentPlaces = (brokerages: Brokerages, origin: string): { readonly origins: readonly string[]; readonly returns: readonly string[] } => {
  const there = [brokerages.demo(), brokerages.real()].filter((brokerage) => brokerage !== null)
  return {
    origins: [...new Set(there.map(({ hosts }) => new URL(hosts.authorize).origin))],
    returns: [...new Set(there.map(({ redirectUri }) => redirectUri))].filter((uri) => new URL(uri).origin !== origin),
  }
}

/** The brokerages that can be connected to. A client secret in the settings moves to where secrets are kept, and is not used where there is a cloud; `origin` is this program's address. */
export const setUpBrokerages = async (parts: {
  readonly settings: Settings['tradovate']
  readonly secrets: Secrets
  readonly demo: DemoMode | null
  /** Who each profile is in the cloud that has the application's secret; null for id and secret of this computer's own. */
  readonly identityOf: ((userId: string) => Promise<CloudIdentity | null>) | null
  /** Asked late, since a free port is known only after the start. */
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
