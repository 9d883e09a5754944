import { ipcMain, type IpcMainInvokeEvent } from 'electron'
import { z } from 'zod'
import { channels } from '#shared/bridge/channels.ts'
import type { ShellSettings } from '#shared/bridge/desktop-bridge.ts'
import type { Log } from '#shared/base/log.ts'
import type { Theme } from './theme.ts'

/** Handlers of the page's requests, called with validated values. */
export type PageHandlers = {
  readonly theme: Theme
  readonly settings: () => ShellSettings
  readonly change: (changes: { readonly startsWithSystem?: boolean | undefined; readonly staysInTray?: boolean | undefined }) => ShellSettings
  readonly speak: (language: string) => void
  readonly openDiagnostics: () => void
  readonly restart: () => void
}

const nothing = z.tuple([])

/** Handles the bridge's channels for the app's own page. Logs and rejects any other sender and invalid values. */
export const answerPage = ({ theme, settings, change, speak, openDiagnostics, restart }: PageHandlers, page: OwnPage, log: Log): void => {
  const answer = <Given extends readonly unknown[]>(channel: string, given: z.core.$ZodType<Given>, answered: (...given: Given) => unknown): void => {
    ipcMain.handle(channel, (event: IpcMainInvokeEvent, ...values: unknown[]) => {
      if (!isOwnPage(event, page)) return refuse(channel, 'sender')
      const parsed = z.safeParse(given, values)
      return parsed.success ? answered(...parsed.data) : refuse(channel, 'values')
    })
  }
  const refuse = (channel: string, why: 'sender' | 'values'): never => {
    log.warn({ channel, why }, 'message to the desktop was refused')
    throw new Error('refused')
  }
  answer(channels.themeCurrent, nothing, theme.shown)
  answer(channels.themeSet, z.tuple([z.enum(['dark', 'light', 'system'])]), theme.choose)
  answer(channels.shellSettings, nothing, settings)
  answer(channels.shellChange, z.tuple([z.strictObject({ startsWithSystem: z.boolean().optional(), staysInTray: z.boolean().optional() })]), change)
  answer(channels.shellSpeak, z.tuple([z.string().max(20)]), speak)
  answer(channels.shellOpenDiagnostics, nothing, openDiagnostics)
  answer(channels.shellRestart, nothing, restart)
}

/** Identifies the app's own page: its window's contents and its origin. */
type OwnPage = { readonly contents: () => unknown; readonly origin: string }

type Sender = { readonly sender: unknown; readonly senderFrame: { readonly origin: string; readonly parent: unknown } | null }

/** Whether a message comes from the top frame of the app's own page, at its origin. */
export const isOwnPage = ({ sender, senderFrame }: Sender, { contents, origin }: OwnPage): boolean => {
  const own = contents()
  return own !== null && sender === own && senderFrame !== null && senderFrame.parent === null && senderFrame.origin === origin
}
