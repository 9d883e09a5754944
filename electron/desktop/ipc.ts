import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron'
import { z } from 'zod'
import { channels } from '#shared/bridge/channels.ts'
import type { ShellSettings } from '#shared/bridge/desktop-bridge.ts'
import type { Log } from '#shared/base/log.ts'
import { isOwnPage } from './own-page.ts'
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
export const answerPage = ({ theme, settings, change, speak, openDiagnostics, restart }: PageHandlers, page: { readonly contents: () => WebContents | null; readonly origin: string }, log: Log): void => {
  const answer = <Given extends readonly unknown[]>(channel: string, given: z.core.$ZodType<Given>, answered: (...given: Given) => unknown): void => {
    ipcMain.handle(channel, (event: IpcMainInvokeEvent, ...values: unknown[]) => {
      if (!isOwnPage(event, page)) return refuse(channel, 'sender')
      const parsed = z.safeParse(given, values)
      return parsed.success ? answered(...parsed.data) : refuse(channel, 'values')
    })
  }
  const refuse = (channel: string, why: 'sender' | 'values'): never => {
    log.warn({ channel, why }, 'a message to the desktop was refused')
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
