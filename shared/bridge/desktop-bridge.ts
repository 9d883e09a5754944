/** What the operating system or the user asked the desktop to look like. */
export type ThemeMode = 'dark' | 'light' | 'system'

/** What the desktop does by itself. */
export type ShellSettings = {
  /** Whether the program starts with the system; null where this system offers no way. */
  readonly startsWithSystem: boolean | null
  /** Whether closing the window leaves the program in the tray. */
  readonly staysInTray: boolean
}

/** What the preload offers to the page as `window.fillbookDesktop`; absent in a browser, and on every page but the app's own. */
export type DesktopBridge = {
  readonly theme: {
    /** Whether the desktop shows dark now. */
    current(): Promise<'dark' | 'light'>
    /** Switches the desktop and answers what shows now. */
    set(mode: ThemeMode): Promise<'dark' | 'light'>
    /** Calls back when the operating system changes; gives back the function that ends it. */
    onChange(listener: (shown: 'dark' | 'light') => void): () => void
  }
  readonly shell: {
    settings(): Promise<ShellSettings>
    /** Changes what is given and answers what holds now. */
    change(changes: { readonly startsWithSystem?: boolean; readonly staysInTray?: boolean }): Promise<ShellSettings>
    /** Tells the language of the page by its code, so that menus, tray and notices speak it. */
    speak(language: string): Promise<void>
    /** Opens the Diagnostics window, or brings it forward. */
    openDiagnostics(): Promise<void>
    /** Ends the program once what is being written is written, and starts it again. */
    restart(): Promise<void>
  }
}
