// Texts that web/embed/build.mjs puts into the script: the style sheet, and what the worker runs.
declare const warpsimStyleText: string;
declare const warpsimWorkerText: string;
