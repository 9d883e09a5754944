import { HttpClient, HttpTransportType, HubConnectionBuilder, LogLevel, type HttpResponse } from '@microsoft/signalr'
import { WebSocket } from 'ws'

/** Every method of the hub that the journal may invoke: like its calls, they only read. */
export const hubMethods = ['SubscribeAccounts', 'SubscribeOrders', 'SubscribePositions', 'SubscribeTrades'] as const

/** What the hub tells, unread. */
export type HubEvents = { readonly account: (payload: unknown) => void; readonly order: (payload: unknown) => void; readonly position: (payload: unknown) => void; readonly trade: (payload: unknown) => void }

/** An open connection to the hub of users. */
export type Hub = {
  readonly subscribe: (accountIds: readonly number[]) => Promise<void>
  /** Resolves once the connection is over, whichever side ended it. */
  readonly closed: Promise<void>
  readonly stop: () => Promise<void>
}

// The WebSocket is opened at once, so nothing is asked over HTTP; the package's own client would load cookies and more for it.
class NoHttp extends HttpClient {
  override send(): Promise<HttpResponse> {
    return Promise.reject(new Error('The hub is not negotiated with'))
  }
}

/** Connects with a token; rejects if the hub does not answer. Its subscriptions end with the connection. */
export const openHub = async ({ url, token, on, timeoutMs }: { readonly url: string; readonly token: string; readonly on: HubEvents; readonly timeoutMs: number }): Promise<Hub> => {
  // Without a socket given, the package would look for one of its own at run time, which a bundle does not have.
  const options = { skipNegotiation: true, transport: HttpTransportType.WebSockets, accessTokenFactory: () => token, httpClient: new NoHttp(), WebSocket }
  const connection = new HubConnectionBuilder()
    .withUrl(`${url}?access_token=${encodeURIComponent(token)}`, options)
    // Its log would name the address, which holds the token.
    .configureLogging(LogLevel.None)
    .build()
  const closed = new Promise<void>((resolve) => connection.onclose(() => resolve()))
  connection.on('GatewayUserAccount', on.account)
  connection.on('GatewayUserOrder', on.order)
  connection.on('GatewayUserPosition', on.position)
  connection.on('GatewayUserTrade', on.trade)
  const within = async <T>(work: Promise<T>): Promise<T> => {
    const late = setTimeout(() => void connection.stop().catch(() => undefined), timeoutMs)
    try {
      return await work
    } finally {
      clearTimeout(late)
    }
  }
  const invoke = (method: (typeof hubMethods)[number], ...input: readonly number[]): Promise<void> => within(connection.invoke(method, ...input))
  await within(connection.start())
  return {
    subscribe: async (accountIds) => {
      await invoke('SubscribeAccounts')
      for (const id of accountIds) {
        await invoke('SubscribeOrders', id)
        await invoke('SubscribePositions', id)
        await invoke('SubscribeTrades', id)
      }
    },
    closed,
    stop: () => connection.stop(),
  }
}
