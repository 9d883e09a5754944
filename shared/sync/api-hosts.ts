import { z } from 'zod'

// Without scheme and path: an answer must not talk a client out of TLS, nor to another part of a host.
const bareHost = z.string().max(253).regex(/^[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/i).optional().catch(undefined)

/** The brokerage's `apiHosts`: where an organization's accounts live, by purpose. What is no bare host name, and what has another name, is ignored. */
export const apiHosts = z.object({ live: bareHost, demo: bareHost, mdLive: bareHost, mdDemo: bareHost, replay: bareHost, reportingLive: bareHost, reportingDemo: bareHost })

/** The same as it is kept beside a login's tokens. */
export type ApiHosts = z.infer<typeof apiHosts>

/** What a later answer leaves out stays. */
export const mergedHosts = (before: ApiHosts | undefined, later: ApiHosts | undefined): ApiHosts | undefined =>
  before === undefined || later === undefined ? (later ?? before) : { ...before, ...Object.fromEntries(Object.entries(later).filter(([, host]) => host !== undefined)) }
