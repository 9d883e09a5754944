import type { DemoMode } from './demo-mode.ts'
import type { Secrets } from './secrets/secrets.ts'
import type { Brokerages } from './services/token-keeper.ts'
import type { Settings } from './settings.ts'

const secretName = 'tradovate:client-secret'

/** The brokerages that can be connected to. A client secret in the settings moves to where secrets are kept; `origin` is this program's address. */
export const setUpBrokerages = async (parts: {
  readonly settings: Settings['tradovate']
  readonly secrets: Secrets
  readonly demo: DemoMode | null
  /** Asked late, since a free port is known only after the start. */
  readonly origin: () => string
}): Promise<Brokerages> => {
  const { settings, secrets, demo, origin } = parts
  if (settings.clientSecret !== null) await secrets.set(secretName, settings.clientSecret)
  const clientId = settings.clientId
  const clientSecret = clientId === null ? null : await secrets.get(secretName)
  const ownCallback = (): string => `${origin()}/oauth/callback`
  return {
    demo: () => demo?.brokerage(ownCallback()) ?? null,
    real: () =>
      clientId === null || clientSecret === null
        ? null
        : {
            hosts: { authorize: settings.authorizeUrl, token: settings.tokenUrls, live: settings.liveUrl, demo: settings.demoUrl },
            credentials: { clientId, clientSecret },
            redirectUri: settings.redirectUri ?? ownCallback(),
          },
  }
}
