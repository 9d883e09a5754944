/** Another service's own words, fit to be shown and logged: one line, at most 200 characters, nothing of `secrets` and nothing that looks like a token. */
export const fitToShow = (text: string, secrets: readonly string[] = []): string =>
  secrets
    .filter((secret) => secret !== '')
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
    .replaceAll(/[\w.~+/=-]{32,}/g, '…')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200)
