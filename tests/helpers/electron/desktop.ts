import type { Page } from '@playwright/test'
import type * as Electron from 'electron'

/** How a test starts the desktop. */
export type DesktopStart = {
  readonly dataDir: string
  readonly env?: Readonly<Record<string, string>>
  /** Words of the command line behind the program. */
  readonly words?: readonly string[]
  /** The user's answers to dialogs by kind, in order; without an answer a dialog stays open. */
  readonly answers?: Readonly<Record<string, readonly object[]>>
  /** What the operating system shows. */
  readonly osTheme?: 'dark' | 'light'
}

/** What only a person at the screen would see, in its order. */
export type Recorded =
  | { readonly what: 'tray-menu'; readonly items: readonly MenuEntry[] }
  | { readonly what: 'tray-tip'; readonly text: string }
  | { readonly what: 'notice'; readonly title: string; readonly body: string }
  | { readonly what: 'menu-popup'; readonly items: readonly MenuEntry[] }
  | { readonly what: 'open-external'; readonly url: string }
  | { readonly what: 'open-path'; readonly path: string }
  | { readonly what: 'dialog'; readonly kind: string; readonly message?: string; readonly detail?: string; readonly buttons?: readonly string[]; readonly defaultPath?: string }
  | { readonly what: 'keep-awake'; readonly id: number; readonly type: string }
  | { readonly what: 'let-sleep'; readonly id: number }
  | { readonly what: 'relaunch'; readonly options?: object }
  /** Whether the backend still answers and its journal is still open as the program goes; a test writes it down. */
  | { readonly what: 'at-the-end'; readonly backend: string; readonly journal: string }
/** One entry of a menu, as it shows. */
export type MenuEntry = { readonly label: string; readonly type: string; readonly enabled: boolean; readonly checked: boolean; readonly submenu?: readonly MenuEntry[] }

/** What the recorder keeps in the main process. */
type Live = {
  readonly trays: readonly { readonly recordedMenu: { readonly items: readonly { readonly label: string; readonly click: () => void }[] }; readonly emit: (event: string) => void }[]
  readonly notices: readonly { readonly title: string; readonly emit: (event: string) => void }[]
  readonly handlers: ReadonlyMap<string, (event: object, ...args: unknown[]) => unknown>
  readonly dialogs: { readonly kind: string; readonly resolve: (answer: object) => void }[]
}
declare global {
  /** Only in the main process of a desktop under test. */
  var recorded: Live
}

/** Electron's module, as functions that run in the main process get it. */
export type ElectronModule = typeof Electron

/** A desktop under test: its main process, its pages, and what it showed. */
export type Desktop = {
  /** The page of the app's window, also after it was recreated. */
  readonly page: () => Promise<Page>
  /** Every page that a window shows now. */
  readonly pages: () => readonly Page[]
  /** Evaluates a function in the main process; it knows nothing of its surroundings here. */
  readonly inMain: <Answer, Argument>(run: (electron: ElectronModule, argument: Argument) => Answer | Promise<Answer>, argument: Argument) => Promise<Answer>
  readonly recorded: () => readonly Recorded[]
  /** The program's output lines. */
  readonly output: () => string
  /** Settles once the process is gone, with its exit code. */
  readonly gone: Promise<number | null>
  /** Asks the program to quit and waits until it is gone; ends it where it does not go. */
  readonly close: () => Promise<void>
}

/** Starts one world's desktop on a built bundle. */
export type StartDesktop = (bundle: string, start: DesktopStart) => Promise<Desktop>
