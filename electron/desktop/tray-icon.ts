/** What the system says of its own bars; only macOS and Windows tell of them apart from windows. */
type Bars = { readonly shouldUseDarkColors: boolean; readonly shouldUseDarkColorsForSystemIntegratedUI?: boolean | undefined }

/** The file name of the tray's picture. macOS paints a template itself; elsewhere there is one for dark bars and one for light ones. */
export const trayIcon = (platform: NodeJS.Platform, { shouldUseDarkColors, shouldUseDarkColorsForSystemIntegratedUI = shouldUseDarkColors }: Bars): string => {
  if (platform === 'darwin') return 'trayTemplate.png'
  return `tray-${shouldUseDarkColorsForSystemIntegratedUI ? 'dark' : 'light'}.${platform === 'win32' ? 'ico' : 'png'}`
}
