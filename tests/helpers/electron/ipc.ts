import type { IpcMain as Real } from 'electron'
import { strictEmitter, trueTo, type Drift } from './strict.ts'
import type { WebFrameMain } from './web-frame.ts'
import { crossing } from './worlds.ts'

const { encode, decode } = crossing()

/** From whom a message came, as handlers see it. */
export type IpcEvent = { readonly type: 'frame'; readonly sender: unknown; readonly senderFrame: WebFrameMain | null; readonly processId: number; readonly frameId: number; readonly frameTreeNodeId: number; returnValue: unknown; readonly reply: (channel: string, ...args: unknown[]) => void }
type Handler = (event: IpcEvent, ...args: unknown[]) => unknown

const handlers = new Map<string, Handler>()
const handle = (channel: string, handler: Handler): void => {
  if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
  handlers.set(channel, handler)
}
const members = {
  handle,
  handleOnce: (channel: string, handler: Handler): void => {
    handle(channel, (event, ...args) => {
      handlers.delete(channel)
      return handler(event, ...args)
    })
  },
  removeHandler: (channel: string): void => void handlers.delete(channel),
}

/** The main process's end of messages. */
export const ipcMain = strictEmitter('ipcMain', members)
trueTo<Drift<typeof members, Real>>()

/** Answers an invoked channel; returns the encoded answer, and throws the error for the caller. */
export const answerInvoke = async (event: IpcEvent, channel: string, args: string): Promise<string> => {
  const handler = handlers.get(channel)
  if (!handler) throw new Error(`Error invoking remote method '${channel}': Error: No handler registered for '${channel}'`)
  try {
    return encode(await handler(event, ...(decode(args) as unknown[])))
  } catch (error) {
    throw new Error(`Error invoking remote method '${channel}': ${String(error)}`)
  }
}

/** Hears a message that wants no answer. */
export const hearSent = (event: IpcEvent, channel: string, args: string): void => void ipcMain.emit(channel, event, ...(decode(args) as unknown[]))

/** Handles a synchronous message, and returns the encoded answer. */
export const answerSync = (event: IpcEvent, channel: string, args: string): string => {
  hearSent(event, channel, args)
  return encode(event.returnValue)
}
