/** The window's background until the page paints: equals `--ground` in renderer/ui/tokens.css (tested). */
export const grounds = { dark: '#0b0d10', light: '#f6f7f9' } as const
