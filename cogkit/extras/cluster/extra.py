"""What this extra adds: nothing of its own. ``cogkit sweep --dask`` and ``cogkit ship --together`` hand on to it."""

from cogkit.core.instruments import Extra

EXTRA = Extra("cluster")
