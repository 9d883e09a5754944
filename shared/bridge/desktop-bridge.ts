/** What the operating system or the user asked the desktop to look like. */
export type ThemeMode = 'dark' | 'light' | 'system'

/** What the preload offers to the page as `window.fillbookDesktop`; absent in a browser. */
export type DesktopBridge = {
  readonly theme: {
    /** Whether the desktop shows dark now. */
    current(): Promise<'dark' | 'light'>
    /** Switches the desktop and answers what shows now. */
    set(mode: ThemeMode): Promise<'dark' | 'light'>
    /** Calls back when the operating system changes; gives back the function that ends it. */
    onChange(listener: (shown: 'dark' | 'light') => void): () => void
  }
}
