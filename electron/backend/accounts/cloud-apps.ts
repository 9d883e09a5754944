import { err } from '#shared/base/result.ts'
import { createCloudBrokerage, tokensTimeoutMs } from '../cloud/brokerage.ts'
import { createCloudClient } from '../cloud/client.ts'
import type { CloudIdentity } from '../cloud/identity.ts'
import type { BrokerApp } from './broker-app.ts'
import { cloudApp } from './cloud-app.ts'
import type { Timing } from '../brokers/tradovate/timing.ts'

/** The cloud's application at the brokerage, as each of its users has it. */
export const createCloudApps = (parts: { readonly identityOf: (userId: string) => Promise<CloudIdentity | null>; readonly timing: Timing }): ((userId: string) => BrokerApp) => {
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
