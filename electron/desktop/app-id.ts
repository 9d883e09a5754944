/** The name by which Windows knows the installed program, and shows its notifications: `appId` of electron-builder.yml. */
export const appId = 'app.fillbook.desktop'
