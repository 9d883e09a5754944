import { z } from 'zod'

// Host only, without scheme and path, so that an answer cannot turn off TLS or point to another path on the host.
const bareHost = z.string().max(253).regex(/^[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/i).optional().catch(undefined)

/** The brokerage's `apiHosts`: where an organization's accounts are, by purpose. Ignores other names, and values that are not bare host names. */
export const apiHosts = z.object({ live: bareHost, demo: bareHost, mdLive: bareHost, mdDemo: bareHost, replay: bareHost, reportingLive: bareHost, reportingDemo: bareHost })

/** The hosts as stored beside a login's tokens. */
export type ApiHosts = z.infer<typeof apiHosts>

/** Fields that a later answer leaves out stay. */
export const mergedHosts = (before: ApiHosts | undefined, later: ApiHosts | undefined): ApiHosts | undefined =>
  before === undefined || later === undefined ? (later ?? before) : { ...before, ...Object.fromEntries(Object.entries(later).filter(([, host]) => host !== undefined)) }
