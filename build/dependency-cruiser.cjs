// The import law: one sentence per rule, with its reason.
const testFile = '\\.(test|long)\\.tsx?$'
const routes = '(^|/|-)routes\\.ts$'
const edges = 'brokers/[^/]+|cloud|secrets|identity/firebase|prices/databento'
// What brokerages share: the port that they implement, and the first steps of parsing answers.
const port = '^electron/backend/brokers/(port|live|failure|timing|exchange|rows|pace|bars)\\.ts$'

// From the lowest up. A feature's store is below the features between the two.
const features = require('./features.json')
const folderOf = (feature) => `^electron/backend/${feature}/${features.includes(`${feature}/store`) ? '(?!store/)' : ''}`

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycle', comment: 'A cycle has no first file to read, whether of values or of types.', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphan',
      comment: 'A file that nothing reaches is dead.',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', testFile, '^build/', '^tests/', '^electron/cli/', '^renderer/public/', '(^|/)tsconfig', '\\.config\\.'] },
      to: {},
    },
    { name: 'no-unresolved', comment: 'An import that leads nowhere fails only at run time.', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'shared-is-pure',
      comment: 'shared/ is arithmetic and contracts: itself and zod, nothing else.',
      severity: 'error',
      from: { path: '^shared/', pathNot: testFile },
      to: { pathNot: ['^shared/', '^node_modules/zod/'] },
    },
    {
      name: 'backend-is-host-blind',
      comment: 'The backend is an ordinary Node program that any host can start.',
      severity: 'error',
      from: { path: '^electron/backend/', pathNot: testFile },
      to: { path: ['^electron/(desktop|cli|preload)/', '^renderer/', '^cloud/', '^node_modules/electron/', '^node_modules/@electron/'] },
    },
    {
      name: 'edges-know-one-thing',
      comment: 'A client of one outside thing knows nothing of the program; features use it.',
      severity: 'error',
      from: { path: `^electron/backend/(${edges})/`, pathNot: testFile },
      to: { path: '^electron/backend/', pathNot: ['^electron/backend/$1/', port] },
    },
    {
      name: 'port-knows-no-broker',
      comment: 'What every brokerage shares knows none of them, and of the program only the rows that it hands over.',
      severity: 'error',
      from: { path: port },
      to: { path: '^electron/backend/', pathNot: [port, '^electron/backend/db/rows\\.ts$'] },
    },
    ...features.slice(0, -1).map((feature, place) => ({
      name: `${feature.replace('/', '-')}-knows-no-feature-above`,
      comment: 'Features have an order, and each uses only those below it: a reader of one need not know the next.',
      severity: 'error',
      from: { path: folderOf(feature), pathNot: testFile },
      to: { path: features.slice(place + 1).map(folderOf) },
    })),
    {
      name: 'database-knows-no-feature',
      comment: 'The connection, the tables and the calls between threads serve every feature and know none.',
      severity: 'error',
      from: { path: '^electron/backend/(db|threads)/', pathNot: testFile },
      to: { path: '^electron/backend/', pathNot: ['^electron/backend/$1/', '^electron/backend/db/fault\\.ts$'] },
    },
    {
      name: 'only-routes-speak-http',
      comment: 'A route turns a request into a call of its service and back; nothing below it knows a web server.',
      severity: 'error',
      from: { path: '^electron/backend/[^/]+/', pathNot: ['^electron/backend/http/', routes, testFile] },
      to: { path: ['^electron/backend/http/', '^node_modules/express/'] },
    },
    {
      name: 'routes-ask-services',
      comment: 'A route opens no database and no wire of its own.',
      severity: 'error',
      from: { path: ['^electron/backend/http/', routes], pathNot: testFile },
      to: { path: [`^electron/backend/(db|${edges})/`, '^electron/backend/.+(queries|/rows)\\.ts$', '^node_modules/(drizzle-orm|better-sqlite3)/'] },
    },
    {
      name: 'services-speak-no-sql',
      comment: 'The rules of a feature work without SQL.',
      severity: 'error',
      from: { path: ['^electron/backend/[^/]+/service\\.ts$', '^electron/backend/copier/engine/', '^electron/(desktop|cli|preload)/', '^renderer/', '^shared/'], pathNot: testFile },
      to: { path: ['^electron/backend/db/(database|schema/)', '^node_modules/(drizzle-orm|better-sqlite3)/'] },
    },
    {
      name: 'nothing-knows-the-composition',
      comment: 'What is joined does not know who joins it.',
      severity: 'error',
      from: { path: '^electron/backend/[^/]+/', pathNot: testFile },
      to: { path: '^electron/backend/(backend|app)\\.ts$' },
    },
    {
      name: 'demo-is-a-stand-in',
      comment: 'The product never knows that it talks to the stand-in: only the demo mode starts it.',
      severity: 'error',
      from: { path: '^(shared|electron|cloud|renderer)/', pathNot: ['^electron/demo-broker/', '^electron/backend/demo-mode\\.ts$', testFile] },
      to: { path: '^electron/demo-broker/' },
    },
    {
      name: 'demo-broker-is-isolated',
      comment: 'The stand-in is another company: what it shared with the product, it would get wrong in the same way.',
      severity: 'error',
      from: { path: '^electron/demo-broker/', pathNot: testFile },
      to: { path: '^(shared|electron|cloud|renderer|migrations)/', pathNot: '^electron/demo-broker/' },
    },
    {
      name: 'doors-are-thin',
      comment: 'A door starts the backend and knows nothing of its rooms.',
      severity: 'error',
      from: { path: '^electron/(desktop|cli)/', pathNot: testFile },
      to: { path: ['^electron/', '^renderer/', '^cloud/'], pathNot: ['^electron/backend/(backend|host|settings|start-problem|node-child|log|demo-mode|imports/import-headless|imports/read-export)\\.ts$', '^electron/$1/'] },
    },
    {
      name: 'preload-is-a-bridge',
      comment: 'What runs beside the page may hold the contract and electron, nothing else.',
      severity: 'error',
      from: { path: '^electron/preload/', pathNot: testFile },
      to: { pathNot: ['^electron/preload/', '^shared/bridge/', '^node_modules/electron/', '^node_modules/@electron/remote/'] },
    },
    {
      name: 'only-desktop-says-electron',
      comment: 'All but the desktop and what runs beside its pages is an ordinary Node program or an ordinary page.',
      severity: 'error',
      from: { path: '^(shared|electron|cloud|renderer)/', pathNot: ['^electron/(desktop|preload)/', testFile] },
      to: { path: '^node_modules/(electron|electron-updater|@electron/[^/]+)/' },
    },
    {
      name: 'remote-is-for-diagnostics',
      comment: 'Through @electron/remote a page reaches the main process: only the Diagnostics window and its preload may hold it.',
      severity: 'error',
      from: { pathNot: ['^electron/desktop/diagnostics\\.ts$', '^electron/preload/diagnostics\\.ts$', '^node_modules/', testFile] },
      to: { path: '^node_modules/@electron/remote/' },
    },
    {
      name: 'diagnostics-is-a-page',
      comment: 'The page of Diagnostics knows its bridge, not the program behind it.',
      severity: 'error',
      from: { path: '^electron/desktop/diagnostics-page/', pathNot: testFile },
      to: { pathNot: ['^electron/desktop/diagnostics-page/', '^shared/bridge/'] },
    },
    {
      name: 'renderer-is-a-page',
      comment: 'The page knows HTTP, not the program that answers.',
      severity: 'error',
      from: { path: '^renderer/', pathNot: testFile },
      to: { path: ['^electron/', '^cloud/', '^migrations/'] },
    },
    { name: 'renderer-no-node', comment: 'A page has no Node.', severity: 'error', from: { path: '^renderer/', pathNot: testFile }, to: { dependencyTypes: ['core'] } },
    {
      name: 'features-are-strangers',
      comment: 'A screen can be removed without opening another; the shell joins them.',
      severity: 'error',
      from: { path: '^renderer/features/([^/]+)/', pathNot: testFile },
      to: { path: ['^renderer/features/', '^renderer/app/'], pathNot: '^renderer/features/$1/' },
    },
    {
      name: 'parts-know-no-screen',
      comment: 'Primitives, the client and the locales serve every screen and know none.',
      severity: 'error',
      from: { path: '^renderer/(ui|lib|i18n)/', pathNot: testFile },
      to: { path: '^renderer/(features|app)/' },
    },
    {
      name: 'cloud-is-isolated',
      comment: 'The cloud is a service of its own: of the desktop it has the contract and the one function that puts it on Express.',
      severity: 'error',
      from: { path: '^cloud/', pathNot: testFile },
      to: { path: ['^electron/', '^renderer/'], pathNot: '^electron/backend/http/mount\\.ts$' },
    },
    {
      name: 'nothing-ships-a-tool',
      comment: 'An installation without development packages must run; Electron comes with the installer.',
      severity: 'error',
      from: { path: '^(shared|electron|renderer|cloud)/', pathNot: testFile },
      to: { dependencyTypes: ['npm-dev'], pathNot: ['^node_modules/electron/', '^node_modules/@types/'] },
    },
    {
      name: 'nothing-ships-tests',
      comment: 'What ships must not lean on what only tests have.',
      severity: 'error',
      from: { path: '^(shared|electron|renderer|cloud)/', pathNot: testFile },
      to: { path: ['^tests/', testFile] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['(^|/)dist/', '\\.json$', '\\.css$'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'renderer/tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
    cache: { folder: 'node_modules/.cache/dependency-cruiser', strategy: 'content' },
  },
}
