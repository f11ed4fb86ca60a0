// What build.mjs puts into early.js: the names of the runs that the site has ready.
declare const warpsimReady: string[];
